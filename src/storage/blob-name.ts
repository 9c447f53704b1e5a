// What a blob may be called: one of our own ids, with an extension if it has a format. Never what a caller wrote.

export const BLOB_NAME = /^[a-z]{3}_[0-9A-Za-z]{22}(\.[a-z0-9]{1,5})?$/;
