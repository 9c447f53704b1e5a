// Sizes that are often wanted, by the names that they get.

export const COMMON_SIZES = [
  { name: 'square', about: 'Instagram, 1:1', width: 1080, height: 1080 },
  { name: 'portrait', about: 'Instagram, 4:5', width: 1080, height: 1350 },
  { name: 'story', about: 'Stories and reels, 9:16', width: 1080, height: 1920 },
  { name: 'landscape', about: 'Links and previews', width: 1200, height: 630 },
  { name: 'wide', about: 'Video, 16:9', width: 1920, height: 1080 },
  { name: 'banner', about: 'Profile banner, 3:1', width: 1500, height: 500 },
  { name: 'leaderboard', about: 'Advertisement', width: 728, height: 90 },
  { name: 'rectangle', about: 'Advertisement', width: 300, height: 250 },
] as const;
