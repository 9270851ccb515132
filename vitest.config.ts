import { defineConfig } from 'vitest/config'

const alias = { '@': import.meta.dirname }

export default defineConfig({
  test: {
    projects: [
      {
        resolve: { alias },
        test: {
          name: 'unit',
          include: ['**/*.test.ts', '**/*.test.tsx'],
          exclude: [
            '**/node_modules/**',
            '**/.next/**',
            '**/.data/**',
            '**/*.db.test.ts',
            '**/*.services.test.ts',
          ],
          setupFiles: ['test/setup.ts'],
        },
      },
      {
        resolve: { alias },
        test: {
          name: 'db',
          include: ['**/*.db.test.ts'],
          exclude: ['**/node_modules/**', '**/.next/**', '**/.data/**'],
          setupFiles: ['test/setup.ts'],
          globalSetup: ['test/postgres-server.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        // What needs programs that npm does not bring.
        resolve: { alias },
        test: {
          name: 'services',
          include: ['test/services/*.services.test.ts'],
          setupFiles: ['test/setup.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        // Whole programs, the built web server among them.
        resolve: { alias },
        test: {
          name: 'soak',
          include: ['test/soak/*.services.test.ts'],
          setupFiles: ['test/setup.ts'],
        },
      },
    ],
  },
})
