// Valid names of blobs: an id of ours, with an extension if it has a format. Never text from a caller.

export const BLOB_NAME = /^[a-z]{3}_[0-9A-Za-z]{22}(\.[a-z0-9]{1,5})?$/;
