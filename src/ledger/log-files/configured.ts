import { bucketPlace } from './bucket.ts';
import { folderPlace } from './folder.ts';
import type { Place } from './place.ts';

/** What `LOG_FILES` and the settings beside it say. */
export interface PlaceConfig {
  /** A folder, or `s3://<bucket>/<prefix>`. */
  files?: string | undefined;
  filesEndpoint?: URL | undefined;
  filesRegion: string;
  /** `<access key id>:<secret access key>`. */
  filesKey?: string | undefined;
}

/** The place that is configured; undefined where none is. Opens no connection. */
export function configuredPlace({
  files,
  filesEndpoint,
  filesRegion,
  filesKey = '',
}: PlaceConfig): Place | undefined {
  if (files === undefined) return undefined;
  if (!files.startsWith('s3://')) return folderPlace(files);
  const [bucket = '', ...prefix] = files.slice('s3://'.length).split('/');
  const colon = filesKey.indexOf(':');
  return bucketPlace({
    endpoint: filesEndpoint?.href ?? `https://s3.${filesRegion}.amazonaws.com`,
    region: filesRegion,
    bucket,
    prefix: prefix.filter((part) => part !== '').join('/'),
    accessKeyId: filesKey.slice(0, colon),
    secretAccessKey: filesKey.slice(colon + 1),
  });
}
