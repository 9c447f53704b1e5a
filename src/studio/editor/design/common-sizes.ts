// Sizes that are often wanted, by the names that they get.

export const COMMON_SIZES = [
  { name: 'square', width: 1080, height: 1080 },
  { name: 'portrait', width: 1080, height: 1350 },
  { name: 'story', width: 1080, height: 1920 },
  { name: 'landscape', width: 1200, height: 630 },
  { name: 'wide', width: 1920, height: 1080 },
  { name: 'banner', width: 1500, height: 500 },
  { name: 'leaderboard', width: 728, height: 90 },
  { name: 'rectangle', width: 300, height: 250 },
] as const;
