// Lists the objects under a prefix, page by page (S3's ListObjectsV2).

import type { S3Client } from './s3-client.ts';
import { tagged } from './xml.ts';

export interface ListedObject {
  readonly key: string;
  /** Bytes. */
  readonly size: number;
  readonly lastModified: Date;
}

/** @throws as `S3Client.send` */
export async function* listObjects(client: S3Client, prefix: string): AsyncIterable<ListedObject> {
  let token: string | null = null;
  do {
    const query: Record<string, string> = { 'list-type': '2', prefix };
    if (token !== null) query['continuation-token'] = token;
    const page = String((await client.read('', query)) ?? '');
    yield* objectsIn(page);
    token = tagged(page, 'NextContinuationToken');
  } while (token !== null);
}

/** Parses one page. The keys are our own names, which need no XML escaping. */
function* objectsIn(page: string): Iterable<ListedObject> {
  for (const entry of page.split('<Contents>').slice(1)) {
    const [contents = ''] = entry.split('</Contents>', 1);
    const [key, lastModified] = [tagged(contents, 'Key'), tagged(contents, 'LastModified')];
    const size = Number(tagged(contents, 'Size'));
    if (key !== null && lastModified !== null) yield { key, size, lastModified: new Date(lastModified) };
  }
}
