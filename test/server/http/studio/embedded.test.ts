// Tests what the token of an embedded editor opens, and what it does not. The test walks every route of both tables, so
// a new route cannot be forgotten.

import { expect, test } from 'vitest';
import { entriesOf } from '#server/http/server.ts';
import { STUDIO_OPERATIONS } from '#server/http/studio/contract.ts';
import { OPERATIONS } from '#server/http/v1/operations.ts';
import { type EditorToken, signEditorToken } from '../../../../clients/js/editor-token.ts';
import { type Ask, NOW, SHAPES, serverUnderTest } from '../server-under-test.ts';

const ORIGIN = 'https://app.example.com';
const HOUR = 3_600_000;

const TEXTS = {
  ...SHAPES,
  name: 'Card',
  layers: [
    ...SHAPES.layers,
    { type: 'text', name: 'title', text: 'Hello' },
    { type: 'text', name: 'legal', text: 'Terms', locked: true },
  ],
};

/** Those that a test gives, in place of good ones. */
type Claims = { readonly [Name in keyof EditorToken]?: EditorToken[Name] | undefined };

async function embedded() {
  const server = await serverUnderTest();
  const { services, account, other } = server;
  await services.editorTokens.setOrigins(account, [ORIGIN]);
  const { id: template } = await services.templates.create(account, TEXTS);
  const { id: second } = await services.templates.create(account, SHAPES);
  const made = { account, secret: server.signingSecret, user: 'user-1', origin: ORIGIN, issued: NOW, template };
  const sign = (claims: Claims = {}) => signEditorToken({ ...made, ...claims } as EditorToken);
  const send = async (token: string, path: string, { headers = {}, ...ask }: Ask = {}) => {
    const own = (ask.method ?? 'GET') === 'GET' ? {} : { origin: server.url };
    const given = { authorization: `Bearer ${token}`, 'platen-embedding-origin': ORIGIN, ...own };
    return server.ask(path, { ...ask, key: null, headers: { ...given, ...headers } });
  };
  const base = `/v1/studio/accounts/${account}/templates`;
  return {
    server,
    template,
    second,
    other,
    sign,
    send,
    base,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

const SMALLEST = ['studioReadEmbedded', 'studioListFonts', 'studioReadCoverage', 'studioOpenFace', 'studioOpenImage'];
const DRAWN = ['studioPreviewDocument', 'studioMeasureDocument'];

test('of all routes each token opens only those that its rights need', async () => {
  await using lab = await embedded();
  const { server, template, second, sign, send } = lab;
  const opened = async (token: string) => {
    const found: string[] = [];
    for (const [id, operation] of entriesOf({ ...OPERATIONS, ...STUDIO_OPERATIONS })) {
      if (operation.access === 'open' || operation.access === 'signature') continue;
      const path = operation.path
        .replace('{accountId}', server.account)
        .replace(/\{(templateId|id)\}/, template)
        .replace(/\{\w+\}/g, 'x');
      const method = operation.method.toUpperCase();
      const json = method === 'GET' ? {} : { json: {} };
      const { status } = await send(token, path, { method, ...json });
      if (status !== 401 && status !== 403) found.push(id);
      const elsewhere = [
        path.replace(server.account, server.other),
        ...(operation.path.includes('{templateId}') ? [path.replace(template, second)] : []),
      ].filter((one) => one !== path);
      for (const one of elsewhere) {
        expect([id, (await send(token, one, { method, ...json })).status]).toEqual([id, expect.toSatisfy(isRefusal)]);
      }
    }
    return found.sort();
  };
  const blank = { template: undefined, blank: { width: 10, height: 10 } } as const;
  expect(await opened(await sign(blank))).toEqual([...SMALLEST, ...DRAWN].sort());
  const reads = [...SMALLEST, ...DRAWN, 'studioReadDraft'];
  expect(await opened(await sign())).toEqual(reads.sort());
  expect(await opened(await sign({ save: 'draft' }))).toEqual([...reads, 'studioSaveDraft'].sort());
  const most = [...reads, 'studioSaveDraft', 'studioPublishDraft', 'studioUploadImage'];
  expect(await opened(await sign({ save: 'publish', uploads: true }))).toEqual(most.sort());
});

const isRefusal = (status: number) => status === 401 || status === 403;

test('a token that is altered, expired, revoked, too long or of others is refused with a sentence', async () => {
  await using lab = await embedded();
  const { server, sign, send } = lab;
  const ask = async (token: string, headers: Record<string, string> = {}) => {
    const { status, json } = await send(token, '/v1/studio/embedded', { headers });
    return `${status} ${json.error ?? 'ok'}`;
  };
  const good = await sign();
  const [head = '', payload = '', signature = ''] = good.split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const MEND = ': have the page ask its server for a new one.';
  const forged = (what: string) => `401 This editor’s token ${what}${MEND}`;
  expect(await ask(good)).toBe('200 ok');
  const unsigned = forged('was not signed with a valid secret of the account');
  expect(await ask(`${head}.${part({ ...claims, rights: 'all', template: 'tpl_x' })}.${signature}`)).toBe(unsigned);
  expect(await ask(`${head}.${payload}.`)).toBe(unsigned);
  for (const garbage of ['garbage', 'undefined', 'a.b', server.key, `${good}.x`, 'e'.repeat(9_000)]) {
    expect(await ask(garbage), garbage).toBe(forged('is not a JSON Web Token'));
  }
  expect(await ask(`${head}.${payload}.${signature.slice(0, -2)}`)).toBe(unsigned);
  expect(await ask(await sign({ secret: 'sgn_other' }))).toBe(unsigned);
  expect(await ask(await sign({ account: server.other }))).toBe(unsigned);
  expect(await ask(await sign({ account: 'acc_none' }))).toBe(unsigned);
  expect(await ask(`${part({ alg: 'none' })}.${payload}.`)).toBe(forged('must be signed with HS256'));
  const ago = (ms: number) => new Date(NOW.getTime() - ms);
  expect(await ask(await sign({ issued: ago(2 * HOUR) }))).toBe(forged('has expired'));
  expect(await ask(await sign({ issued: ago(-HOUR) }))).toBe(forged('says that it was issued in the future (iat)'));
  expect(await ask(await sign({ expires: new Date(NOW.getTime() + 8 * 24 * HOUR) }))).toBe(
    forged('is valid for longer than seven days (exp, iat)'),
  );
  expect(await ask(await sign({ rights: 'none' as 'all' }))).toContain('is malformed: rights: must be');
  expect(await ask(await sign({ template: undefined }))).toBe(forged('must name a template, or blank'));

  const elsewhere = { 'platen-embedding-origin': 'https://evil.example' };
  expect(await ask(good, elsewhere)).toBe(
    '403 This editor’s token is for pages of https://app.example.com, not of https://evil.example.',
  );
  expect(await ask(await sign({ origin: 'https://evil.example' }), elsewhere)).toBe(
    '403 The account does not allow the editor in pages of https://evil.example: add it in the studio, under Settings, Embedded editors.',
  );

  const { services, account } = server;
  await services.editorTokens.revoke(account, 'user-2', null);
  expect(await ask(good)).toBe('200 ok');
  await services.editorTokens.revoke(account, 'user-1', ago(HOUR));
  expect(await ask(good)).toBe('200 ok');
  await services.editorTokens.revoke(account, 'user-1', null);
  expect(await ask(good)).toBe(forged('was revoked'));
  expect(await ask(await sign({ user: 'user-3' }))).toBe('200 ok');
  await services.editorTokens.revoke(account, null, null);
  expect(await ask(await sign({ user: 'user-3' }))).toBe(forged('was revoked'));

  await services.accounts.rotateSecret(account, 'signing');
  await services.accounts.retireSecrets(account, 'signing');
  expect(await ask(good)).toBe(unsigned);
});

test('a draft may differ in what the token allows alone, and names nobody of the account', async () => {
  await using lab = await embedded();
  const { template, second, sign, send, base } = lab;
  const token = await sign({ rights: 'texts-and-pictures', save: 'draft' });
  const { json: opened } = await send(token, `${base}/${template}/draft`);
  expect(opened).toMatchObject({ revision: 0, savedBy: null });
  const words = (text: string, name = 'title') => ({
    ...TEXTS,
    layers: TEXTS.layers.map((layer) => (layer.name === name ? { ...layer, text } : layer)),
  });
  const save = async (document: unknown, revision = 0, to = template) => {
    const headers = { 'if-match': `"${revision}"` };
    const { status, json } = await send(token, `${base}/${to}/draft`, { method: 'PUT', headers, json: { document } });
    return `${status} ${json.error ?? json.revision}`;
  };
  expect(await save(words('Bonjour'))).toBe('200 1');
  expect(await save(words('x', 'legal'), 1)).toBe('403 The layer "legal" is locked.');
  expect(await save({ ...TEXTS, width: 50 }, 1)).toBe(
    '403 Only texts and pictures may be changed here, not the template’s "width".',
  );
  expect(await save(words('Bonjour'), 0)).toBe(
    '412 This template was changed elsewhere: load it again before you go on.',
  );
  expect(await save(words('x'), 0, second)).toBe('403 The token of this editor is for another template.');
  const html = { engine: 'html', name: 'x', width: 10, height: 10, html: '<p>' };
  expect(await save(html, 1)).toBe('403 Only templates of layers can be edited here, not those of HTML.');
});

test('a draft comes with the brands and components that it shows, and with no others', async () => {
  await using lab = await embedded();
  const { server, second, sign, send, base } = lab;
  const { services, account } = server;
  for (const name of ['acme', 'bird', 'cat'])
    await services.brands.save(account, name, { colors: { primary: '#123456' } });
  const part = (name: string, template: string) => ({ type: 'template', name, template });
  const inner = await services.templates.create(account, { ...SHAPES, name: 'Inner', brand: 'bird' });
  const outer = await services.templates.create(account, { ...SHAPES, name: 'Outer', layers: [part('x', inner.id)] });
  const { id: shown } = await services.templates.create(account, {
    ...TEXTS,
    brand: 'acme',
    background: '$primary',
    layers: [...TEXTS.layers, part('part', outer.id)],
  });
  const { json } = await send(await sign({ template: shown }), `${base}/${shown}/draft`);
  const { brands, templates } = json.materials as Record<'brands' | 'templates', Record<string, object>>;
  expect(Object.keys(brands).sort()).toEqual(['acme@1', 'bird@1']);
  expect(Object.keys(templates).sort()).toEqual([`${inner.id}@1`, `${outer.id}@1`].sort());
  expect(brands['acme@1']).toMatchObject({ colors: { primary: '#123456' } });
  expect(templates[`${inner.id}@1`]).toMatchObject({ name: 'Inner', brand: 'bird@1' });
  const plain = await send(await sign({ template: second }), `${base}/${second}/draft`);
  expect(plain.json).not.toHaveProperty('materials');
});

test('nothing is drawn that shows more of the account than the template does', async () => {
  await using lab = await embedded();
  const { server, second, sign, send } = lab;
  await server.services.brands.save(server.account, 'acme', { colors: { primary: '#123456' } });
  const token = await sign();
  const draw = async (document: unknown, more: object = {}) => {
    const path = `/v1/studio/accounts/${server.account}/preview`;
    const { status } = await send(token, path, { method: 'POST', json: { document, ...more } });
    return status;
  };
  expect(await draw(SHAPES)).toBe(200);
  expect(await draw({ ...SHAPES, brand: 'acme' })).toBe(403);
  expect(await draw(SHAPES, { brand: 'acme' })).toBe(403);
  expect(await draw({ ...SHAPES, layers: [{ type: 'template', name: 'x', template: second }] })).toBe(403);
  expect(await draw({ ...SHAPES, layers: [{ type: 'image', name: 'x', src: 'screenshot:https://a.example/' }] })).toBe(
    403,
  );
});

test('publishing is recorded under the user of the other site', async () => {
  await using lab = await embedded();
  const { server, template, sign, send, base } = lab;
  const token = await sign({ save: 'publish', userName: 'Ada' });
  const headers = { 'if-match': '"0"' };
  await send(token, `${base}/${template}/draft`, {
    method: 'PUT',
    headers,
    json: { document: { ...TEXTS, height: 30 } },
  });
  const refused = await send(token, `${base}/${template}/publish`, { method: 'POST', headers, json: {} });
  expect(refused.status).toBe(412);
  const again = { 'if-match': '"1"' };
  const { json } = await send(token, `${base}/${template}/publish`, { method: 'POST', headers: again, json: {} });
  expect(json.version).toBe(2);
  const filter = { actorId: 'user-1', action: null };
  const { items } = await server.services.audit.page(server.account, filter, { limit: 5, after: null });
  expect(items.map(({ actor, action }) => [actor, action])).toEqual([
    [{ kind: 'embedded-editor', id: 'user-1', name: 'Ada' }, 'template.publish'],
  ]);
});

test('the page of the editor may be framed by allowed origins alone', async () => {
  await using lab = await embedded();
  const { server } = lab;
  const ancestors = async (account: string) => {
    const { headers } = await server.ask(`/studio/embed/${account}`, { key: null });
    return /frame-ancestors [^;]+/.exec(String(headers['content-security-policy']))?.[0];
  };
  expect(await ancestors(server.account)).toBe(`frame-ancestors ${ORIGIN}`);
  expect(await ancestors(server.other)).toBe("frame-ancestors 'none'");
  expect(await ancestors('acc_none')).toBe("frame-ancestors 'none'");
  const { editorTokens } = server.services;
  const set = (origin: string) => editorTokens.setOrigins(server.account, [origin]);
  expect(await set('https://App.example.com:443/')).toEqual([ORIGIN]);
  expect(await set('http://localhost:3000')).toEqual(['http://localhost:3000']);
  expect(await set('https://xn--mnchen-3ya.example')).toEqual(['https://xn--mnchen-3ya.example']);
  const noNames = ['https://xn--.example', 'https://a.xn--zzzzzz.example', 'https://xn--a-.example'];
  const others = ['http://app.example.com', 'https://*.example.com', '*', 'https://a.example/path', "'self'"];
  for (const wrong of [...noNames, ...others]) {
    await expect(set(wrong)).rejects.toThrow('origins[0]: must be an origin such as');
  }
});

test('a key with the right to secrets revokes tokens', async () => {
  await using lab = await embedded();
  const { server, sign, send } = lab;
  const token = await sign();
  const scope = { rights: ['manage-secrets'], templates: null } as const;
  const { key } = await server.services.keys.create(server.account, 'live', undefined, scope);
  const revoke = (json: object) => server.ask('/v1/editor-tokens/revoke', { method: 'POST', key, json });
  expect((await revoke({ user: 'user-1', before: '2099-01-01T00:00:00Z' })).status).toBe(400);
  expect((await revoke({ user: 'user-1' })).status).toBe(200);
  expect((await send(token, '/v1/studio/embedded')).status).toBe(401);
});
