import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse, parseAllDocuments } from 'yaml';
import { processRegistry } from '../../src/jobs/runtime/process-metrics.ts';
import { processes } from '../../src/platform/config/processes.ts';
import { everySetting, isUsedBy } from '../../src/platform/config/read.ts';
import { procfile } from '../support/procfile.ts';

const root = join(import.meta.dirname, '../..');
const textOf = (path: string) => readFileSync(join(root, path), 'utf8');

interface Env {
  name: string;
  value?: string;
  valueFrom?: { secretKeyRef: { name: string; key: string; optional?: boolean } };
}

interface Manifest {
  kind: string;
  metadata: { name: string };
  spec: {
    selector: { matchLabels: object };
    template: {
      metadata: { labels: Record<string, string> };
      spec: { containers: Container[] };
    };
  };
}

interface Container {
  command: string[];
  env: Env[];
  ports: { name: string; containerPort: number }[];
  livenessProbe: object;
  readinessProbe: object;
}

const kubernetes = (file: string): Manifest[] =>
  parseAllDocuments(textOf(`deploy/kubernetes/${file}`)).map((document) => document.toJS());

describe('the Kubernetes manifests', () => {
  const deployments = kubernetes('processes.yaml').filter(({ kind }) => kind === 'Deployment');
  const named = (name: string) => deployments.find(({ metadata }) => metadata.name === name) as Manifest;
  const containerOf = ({ spec }: Manifest) => spec.template.spec.containers[0] as Container;
  const settings: string[] = parse(textOf('deploy/kubernetes/kustomization.yaml')).configMapGenerator[0]
    .literals;

  it('have a Deployment for every process of the Procfile, with its command and probes', () => {
    const commands = deployments.map((each) => [each.metadata.name, containerOf(each).command.join(' ')]);
    expect(Object.fromEntries(commands)).to.deep.equal(procfile());
    for (const each of deployments) {
      expect(containerOf(each)).to.include.keys('livenessProbe', 'readinessProbe');
      expect(each.spec.template.metadata.labels).to.include(each.spec.selector.matchLabels);
    }
  });

  for (const name of processes)
    it(`give ${name} the secrets that it uses, from its own Secret, and no others`, () => {
      const env = containerOf(named(name)).env;
      const used = everySetting.filter((setting) => isUsedBy(setting, name));
      const secrets = env.filter(({ valueFrom }) => valueFrom !== undefined);
      // Without traces, no collector address, which may contain a token, is needed.
      const wanted = used.filter(({ secret, env }) => secret && env !== 'OTEL_EXPORTER_OTLP_ENDPOINT');
      expect(secrets.map((each) => each.name)).to.have.members(wanted.map((setting) => setting.env));
      for (const secret of secrets) {
        expect(secret.valueFrom?.secretKeyRef, secret.name).to.include({ name, key: secret.name });
        const required = wanted.find((setting) => setting.env === secret.name)?.required === true;
        if (required) expect(secret.valueFrom?.secretKeyRef.optional, secret.name).to.equal(undefined);
      }
      for (const { name: plain, value } of env.filter((each) => each.valueFrom === undefined)) {
        expect(used.map((setting) => setting.env)).to.include(plain);
        if (plain === 'HEALTH_PORT')
          expect(containerOf(named(name)).ports[0]?.containerPort).to.equal(Number(value));
      }
    });

  it('keep secrets out of the settings that all pods share', () => {
    for (const literal of settings) {
      const setting = everySetting.find(({ env }) => env === literal.split('=')[0]);
      expect(setting, literal).to.not.equal(undefined);
      expect(setting?.secret, literal).to.not.equal(true);
    }
  });

  it('allow outgoing traffic for the same processes as compose.yaml', () => {
    const { services } = parse(textOf('compose.yaml'), { merge: true });
    for (const each of deployments)
      expect(each.spec.template.metadata.labels.outbound === 'yes', each.metadata.name).to.equal(
        services[each.metadata.name].networks.includes('outbound'),
      );
  });

  it("give the database owner's URL only to the migration", () => {
    const [migrate] = kubernetes('migrate.yaml') as [Manifest];
    expect(containerOf(migrate).env.map(({ name }) => name)).to.have.members([
      'DATABASE_URL',
      'DATABASE_PASSWORDS',
    ]);
  });
});

describe('the systemd units', () => {
  it('run every process of the Procfile', () => {
    const wanted = textOf('deploy/systemd/public-picks.target').match(/(?<=public-picks@)\w+(?=\.service)/g);
    expect(wanted).to.have.members(processes);
  });
});

describe('the image and the systemd units', () => {
  it('start processes with bin/run', () => {
    expect(textOf('Dockerfile')).to.match(/^CMD \["bin\/run", "web"\]$/m);
    expect(textOf('deploy/systemd/public-picks@.service')).to.match(
      /^ExecStart=\/opt\/public-picks\/bin\/run %i$/m,
    );
  });
});

describe('the alert rules and dashboards', () => {
  it('name only existing metrics', async () => {
    const own = globSync('src/**/*.ts', { cwd: root }).flatMap(
      (file) => textOf(file).match(/(?<=name: ')public_picks_\w+(?=')/g) ?? [],
    );
    const registry = processRegistry('test');
    const known = new Set([...own, ...(await registry.getMetricsAsArray()).map(({ name }) => name)]);
    for (const file of [
      'deploy/prometheus/alerts.yaml',
      'deploy/grafana/public-picks.json',
      'deploy/kubernetes/scaling.yaml',
    ]) {
      const named = textOf(file).match(/\b(public_picks|nodejs|process)_\w+/g) ?? [];
      expect(named, file).to.not.have.lengthOf(0);
      for (const name of named)
        expect(known, `${file}: ${name}`).to.include(name.replace(/_(count|bucket)$/, ''));
    }
  });
});
