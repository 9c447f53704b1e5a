// Tests the deployment files for several servers: variables exist, and ports, probes and permissions fit the image.

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { VARIABLES } from '#server/config/variables.ts';
import { loadConfig } from '../../src/server/config/config.ts';

const PACKAGING = join(import.meta.dirname, '../../packaging');
const KUBERNETES = join(PACKAGING, 'kubernetes');
const BROWSER = join(PACKAGING, 'kubernetes-browser');
const COMPOSE = join(PACKAGING, 'several-servers');

type Json = ReturnType<typeof parse>;
const read = async (path: string): Promise<Json> => parse(await readFile(path, 'utf8'));
const unknown = (names: readonly string[]) => names.filter((name) => !Object.hasOwn(VARIABLES, name));

test('the manifests make one set: each that is named is there, and selectors find the pods', async () => {
  const { resources, images } = await read(join(KUBERNETES, 'kustomization.yaml'));
  const all: Json[] = await Promise.all(resources.map((name: string) => read(join(KUBERNETES, name))));
  const of = (kind: string) => all.find((one) => one.kind === kind);
  expect(all.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`)).toEqual([
    'v1 Namespace',
    'v1 ConfigMap',
    'apps/v1 Deployment',
    'v1 Service',
    'policy/v1 PodDisruptionBudget',
    'networking.k8s.io/v1 NetworkPolicy',
  ]);
  const { template, selector } = of('Deployment').spec;
  const labels = template.metadata.labels;
  expect([
    selector.matchLabels,
    of('Service').spec.selector,
    of('PodDisruptionBudget').spec.selector.matchLabels,
    of('NetworkPolicy').spec.podSelector.matchLabels,
  ]).toEqual([labels, labels, labels, labels]);
  const [container] = template.spec.containers;
  expect(images.map(({ name }: Json) => name)).toEqual([container.image]);
  const ports = container.ports.map(({ name }: Json) => name);
  for (const { targetPort } of of('Service').spec.ports) expect(ports).toContain(targetPort);
});

test('the pod is what the server asks for: variables, ports, probes, secrets, time to stop, and no rights', async () => {
  const { spec } = (await read(join(KUBERNETES, 'deployment.yaml'))).spec.template;
  const config = await read(join(KUBERNETES, 'config.yaml'));
  const secret = await read(join(KUBERNETES, 'secret.example.yaml'));
  const [container] = spec.containers;
  const given: Record<string, string> = Object.fromEntries(container.env.map(({ name, value }: Json) => [name, value]));
  const all = { ...config.data, ...given };
  expect(unknown([...Object.keys(all), ...Object.keys(secret.stringData)])).toEqual([]);
  expect(container.envFrom).toEqual([{ configMapRef: { name: config.metadata.name } }]);

  // The `_FILE` variables point to the files of the secret at its mount path.
  const mount = container.volumeMounts.find(({ name }: Json) => name === 'secret').mountPath;
  expect(spec.volumes.find(({ name }: Json) => name === 'secret').secret.secretName).toBe(secret.metadata.name);
  const files = Object.entries(given).filter(([name]) => name.endsWith('_FILE'));
  expect(files.map(([, path]) => path).sort()).toEqual(
    Object.keys(secret.stringData)
      .map((key) => `${mount}/${key}`)
      .sort(),
  );
  const direct = Object.fromEntries(files.map(([name]) => [name, '']));
  const parsed = loadConfig({ ...all, ...direct, ...secret.stringData });
  expect([parsed.alone, parsed.s3?.bucket]).toEqual([false, 'platen']);

  const port = (name: string) => container.ports.find((one: Json) => one.name === name).containerPort;
  expect([port('http'), port('metrics'), parsed.host]).toEqual([parsed.port, parsed.metricsPort, '0.0.0.0']);
  const probes = ['startupProbe', 'readinessProbe', 'livenessProbe'].map((name) => container[name].httpGet);
  expect(probes.map(({ path, port: name }) => `${name} ${path}`)).toEqual([
    'http /healthz',
    'http /readyz',
    'http /healthz',
  ]);
  // Requests under way get 25 s more.
  expect(spec.terminationGracePeriodSeconds * 1000).toBeGreaterThanOrEqual(parsed.drainDelay + 25_000 + 3_000);

  // The user is the image's, or whichever the cluster gives; its group 0 may read the secret.
  expect(spec.securityContext).toEqual({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
  const dockerfile = await readFile(join(PACKAGING, '../Dockerfile'), 'utf8');
  expect(dockerfile.match(/^USER .*/gm)).toEqual(['USER 10001:0', 'USER 10001:0']);
  expect(spec.volumes.find(({ name }: Json) => name === 'secret').secret.defaultMode, 'octal, in YAML 1.1').toBe(440);
  expect(spec.enableServiceLinks).toBe(false);
  expect(container.securityContext).toEqual({
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  });
  const writable = container.volumeMounts
    .filter(({ readOnly }: Json) => !readOnly)
    .map(({ mountPath }: Json) => mountPath);
  expect(writable).toEqual([parsed.dataFolder, '/tmp']);
});

test('servers with Chromium differ from the others in what they need, and the others find them', async () => {
  const without = (given: Json, ...names: string[]) =>
    Object.fromEntries(Object.entries(given).filter(([name]) => !names.includes(name)));
  const [browser, plain] = await Promise.all(
    [BROWSER, KUBERNETES].map(async (folder) => (await read(join(folder, 'deployment.yaml'))).spec),
  );
  const label = { 'app.kubernetes.io/name': 'platen-browser' };
  expect([browser.selector.matchLabels, browser.template.metadata.labels]).toEqual([label, label]);
  const [pod, other] = [browser, plain].map(({ template }) =>
    without(template.spec, 'containers', 'topologySpreadConstraints'),
  );
  expect(pod).toEqual(other);
  const [[container], [common]] = [browser, plain].map(({ template }) => template.spec.containers);
  expect(without(container, 'env', 'image', 'resources')).toEqual(without(common, 'env', 'image', 'resources'));
  expect(container.env).toEqual([{ name: 'PLATEN_ROLES', value: 'api,worker,browser' }, ...common.env]);

  const { resources, patches, images } = await read(join(BROWSER, 'kustomization.yaml'));
  expect(resources).toEqual(['../kubernetes', 'deployment.yaml', 'service.yaml', 'network-policy.yaml']);
  expect(images.map(({ name }: Json) => name)).toEqual([container.image]);
  const { data } = parse(patches[0].patch);
  const { metadata, spec } = await read(join(BROWSER, 'service.yaml'));
  expect(data.PLATEN_BROWSER_URL).toBe(`http://${metadata.name}:${spec.ports[0].port}`);
  expect(spec.selector).toEqual(label);
  const { stringData } = await read(join(KUBERNETES, 'secret.example.yaml'));
  const config = await read(join(KUBERNETES, 'config.yaml'));
  expect(loadConfig({ ...config.data, ...stringData, ...data }).roles).toEqual(new Set(['api', 'worker']));
});

test('compose.yaml starts what it names, with variables that are ours', async () => {
  const { services, volumes } = await read(join(COMPOSE, 'compose.yaml'));
  const { platen } = services;
  expect(unknown(Object.keys(platen.environment))).toEqual([]);
  expect(platen.deploy.replicas).toBe(3);
  const choices = Object.fromEntries(
    (await readFile(join(COMPOSE, '.env.example'), 'utf8'))
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => line.split('=', 1)[0] ?? '')
      .map((name) => [name, 'chosen']),
  );
  const env: Record<string, string> = { ...choices, PLATEN_PUBLIC_URL: 'http://localhost:3000' };
  const filled = (text: string) => text.replace(/\$\{(\w+):[-?][^}]*\}/g, (whole, name: string) => env[name] ?? whole);
  const given = Object.fromEntries(
    Object.entries<string>(platen.environment).map(([name, value]) => [name, filled(value)]),
  );
  const config = loadConfig(given);
  expect(JSON.stringify(given)).not.toContain('${');
  expect([config.alone, new URL(config.database).hostname]).toEqual([false, 'postgres']);
  expect(new URL(config.s3?.endpoint ?? '').hostname).toBe('s3');
  expect(services.s3.volumes).toEqual([`files:/buckets/${config.s3?.bucket}`]);
  expect(services.s3.command).toContain(`:${new URL(config.s3?.endpoint ?? '').port}`);
  expect(Number.parseInt(platen.stop_grace_period, 10) * 1000).toBeGreaterThanOrEqual(
    config.drainDelay + 25_000 + 3_000,
  );
  for (const { depends_on: needed = {} } of Object.values<Json>(services)) {
    for (const name of Object.keys(needed)) expect(services).toHaveProperty(name);
  }
  // The image is built for the machine's architecture, there as with one server.
  const single = await read(join(PACKAGING, '../compose.yaml'));
  for (const { build } of [platen, single.services.platen]) {
    expect(build.args.ARCHITECTURE).toMatch(/^\$\{ARCHITECTURE:-x64\}$/);
  }
  expect(choices).toHaveProperty('ARCHITECTURE');
  expect(await readFile(join(PACKAGING, '../Dockerfile'), 'utf8')).toMatch(/platen-linux-\$\{ARCHITECTURE\} /);
  const named = Object.values<Json>(services).flatMap(({ volumes: mounted = [] }) => mounted);
  for (const name of Object.keys(volumes)) expect(named.some((one: string) => one.startsWith(`${name}:`))).toBe(true);
});

const HAPROXY = '/usr/sbin/haproxy';
test.skipIf(!existsSync(HAPROXY))(
  'HAProxy takes the configuration, and asks where servers say whether they stop',
  async () => {
    const path = join(COMPOSE, 'haproxy.cfg');
    await promisify(execFile)(HAPROXY, ['-c', '-f', path]);
    const text = await readFile(path, 'utf8');
    expect(text).toContain('option httpchk GET /readyz');
    expect(text).toMatch(/server-template \S+ \d+ platen:3000$/m);
  },
);
