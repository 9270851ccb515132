// The one place that says which folder may import which, and what may not be written where.

/** Longest first: a file belongs to the first folder that its path begins with. */
export const mayImport: Readonly<Record<string, readonly string[]>> = {
  'lib/api': [
    'lib/api',
    'lib/db/unavailable',
    'lib/deps',
    'lib/domain',
    'lib/use-cases',
    'lib/web/views',
  ],
  'lib/auth/client.ts': ['lib/web'],
  'lib/auth': ['lib/auth', 'lib/db', 'lib/deps', 'lib/env', 'lib/domain'],
  'lib/db': ['lib/db', 'lib/domain'],
  'lib/deps.ts': ['lib'],
  'lib/domain': ['lib/domain'],
  'lib/env.ts': ['lib/providers/provider-kind', 'lib/providers/registry'],
  'lib/logger.ts': [],
  'lib/mail': ['lib/mail', 'lib/web/locales', 'messages'],
  'lib/payments': ['lib/domain', 'lib/payments'],
  'lib/providers': ['lib/domain', 'lib/providers'],
  'lib/storage': ['lib/domain', 'lib/storage'],
  'lib/trace': ['lib/domain/provider', 'lib/storage/image-store', 'lib/trace'],
  'lib/use-cases': [
    'lib/db',
    'lib/domain',
    'lib/logger',
    'lib/mail',
    'lib/providers',
    'lib/storage',
    'lib/trace',
    'lib/use-cases',
    'lib/watch',
    'lib/web/account-views',
    'lib/web/admin-views',
    'lib/web/purchase-views',
    'lib/web/views',
  ],
  'lib/watch': [
    'lib/db/watch-store',
    'lib/domain',
    'lib/watch',
    'lib/web/alert-words',
    'lib/web/time-words',
  ],
  'lib/web': ['lib/domain', 'lib/web', 'app/(app)/studio/actions'],
  messages: ['lib/web/locales', 'messages'],
  app: [
    'app',
    'components',
    'lib/api',
    'lib/auth',
    'lib/deps',
    'lib/domain',
    'lib/env',
    'lib/use-cases',
    'lib/web',
    'messages',
  ],
  components: [
    'app/(app)/account/actions',
    'app/(app)/credits/actions',
    'app/(app)/images/actions',
    'app/(app)/studio/actions',
    'app/admin/actions',
    'app/translations/actions',
    'components',
    'lib/auth/client',
    'lib/domain',
    'lib/web',
  ],
  simulator: ['simulator'],
  web: ['lib/api/security-headers', 'lib/env', 'lib/logger', 'lib/trace/open-trace', 'web'],
  worker: ['lib', 'worker'],
}

const react = ['app/', 'components/', 'lib/auth/', 'lib/web/', 'web/main.ts']

/** Packages that only some folders may import, each by a pattern of what is imported. */
export const packageHomes: readonly {
  readonly imported: RegExp
  readonly only: readonly string[]
}[] = [
  { imported: /^(@prisma\/|prisma$|pg$|@\/lib\/db\/generated|\.\/generated)/, only: ['lib/db/'] },
  { imported: /^@aws-sdk\//, only: ['lib/storage/'] },
  { imported: /^nodemailer$/, only: ['lib/mail/'] },
  { imported: /^@opentelemetry\//, only: ['lib/trace/'] },
  { imported: /^rate-limiter-flexible$/, only: ['lib/db/'] },
  { imported: /^stripe$/, only: ['lib/payments/'] },
  { imported: /^next-auth(\/|$)/, only: ['lib/auth/'] },
  { imported: /^(next|next-intl|react|react-dom|server-only)(\/|$)/, only: react },
  { imported: /^(@tanstack|@base-ui|lucide-react|sonner|next-themes)(\/|$)/, only: react },
  { imported: /^sharp$/, only: ['lib/storage/', 'simulator/'] },
]

/** What may not be written, where, and the files that may. */
export const bans: readonly {
  readonly what: string
  readonly pattern: RegExp
  readonly within: RegExp
  readonly except: readonly string[]
}[] = [
  {
    what: 'the environment is read in one place',
    pattern: /\bprocess\.env\b/,
    within: /^(app|components|lib|prisma|simulator|web|worker)\//,
    except: ['lib/env.ts', 'lib/storage/s3-image-store.ts', 'prisma/seed.ts', 'simulator/main.ts'],
  },
  {
    what: 'the domain has no clock, no chance and no environment',
    pattern: /\bDate\.now\(|new Date\(\)|Math\.random\(|\bprocess\.|randomUUID|performance\./,
    within: /^lib\/domain\//,
    except: [],
  },
  {
    what: 'nothing is exported by default, except where Next.js wants it',
    pattern: /^export default\b/m,
    within: /^(?!app\/(.*\/)?(page|layout|not-found|error|global-error|loading|template)\.tsx$)/,
    except: [
      'app/translations/request.ts',
      'next.config.ts',
      'prisma.config.ts',
      'vitest.config.ts',
      'playwright.config.ts',
    ],
  },
  {
    what: 'no folder is reached from below',
    pattern: /(?:from|import) '\.\.\//,
    within: /./,
    except: [],
  },
  {
    what: 'only the adapters and the result reader speak to providers',
    pattern: /from 'undici'|\bfetch\(/,
    within: /^(lib\/(?!providers\/|web\/)|worker\/)/,
    // Operators, not providers, are told by it.
    except: ['lib/watch/post-webhook.ts'],
  },
]

/** What a source text imports, by whatever form. */
export function importsOf(source: string): readonly string[] {
  const forms =
    /(?:^|\s)(?:import|export)\s[^'"]*?from\s+['"]([^'"]+)['"]|^import\s+['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm
  return [...source.matchAll(forms)].map((match) => match[1] ?? match[2] ?? match[3] ?? '')
}

const homeOf = (path: string) =>
  Object.keys(mayImport)
    .filter((folder) => path === folder || path.startsWith(`${folder}/`))
    .sort((a, b) => b.length - a.length)[0]

/** Every rule that a file breaks, in words. */
export function offencesOf(path: string, source: string): readonly string[] {
  const home = homeOf(path)
  const allowed = home === undefined ? undefined : mayImport[home]
  const imports = importsOf(source)
  return [
    ...(/^(app|components|lib|simulator|worker)\//.test(path) && allowed === undefined
      ? [`${path} is in a folder without a rule`]
      : []),
    ...imports
      .filter((target) => target.startsWith('@/') && allowed !== undefined)
      .map((target) => target.slice(2))
      .filter((target) => !allowed?.some((at) => target === at || target.startsWith(`${at}/`)))
      .map((target) => `${path} imports ${target}`),
    ...packageHomes.flatMap(({ imported, only }) =>
      home === undefined || only.some((at) => path.startsWith(at))
        ? []
        : imports.filter((target) => imported.test(target)).map((t) => `${path} imports ${t}`),
    ),
    ...bans
      .filter(({ within, except }) => within.test(path) && !except.includes(path))
      .filter(({ pattern }) => pattern.test(source))
      .map(({ what }) => `${path}: ${what}`),
  ]
}
