// Sets the chosen theme before the first paint; without a choice, the system's theme applies. See shell/frame.tsx.
{
  const chosen = localStorage.getItem('platen-theme');
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
}
