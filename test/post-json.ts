// Sends requests as a client of the API does.

export const postJson = (url: string, key: string, json: unknown): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(json),
  });
