// Recognises the paths of Gotenberg's routes, whose errors are plain text.

export const isGotenbergPath = (path: string): boolean => path.startsWith('/forms/chromium/');
