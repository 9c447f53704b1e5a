// The address under which a component shows a blob; revoked when it shows another one or none.

import { useEffect, useMemo } from 'preact/hooks';

export function useBlobAddress(blob: Blob | null): string | null {
  const address = useMemo(() => blob && URL.createObjectURL(blob), [blob]);
  useEffect(() => () => URL.revokeObjectURL(address ?? ''), [address]);
  return address;
}
