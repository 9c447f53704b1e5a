// Sets the chosen theme before anything is painted; without a choice the system's holds. See shell/theme.ts.
{
  const chosen = localStorage.getItem('platen-theme');
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
}
