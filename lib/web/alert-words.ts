import type { AlertKind } from '@/lib/domain/alert'

export const ALERT_TITLES: Record<AlertKind, string> = {
  'unresolved-age': 'Unresolved for too long',
  'held-credits': 'Many credits on hold',
  'audit-difference': 'The ledger does not add up',
  'worker-silent': 'A worker fell silent',
  'spool-filling': 'The spool is filling',
  'provider-refuses': 'A provider refuses us',
}

/** Where what it is about is seen. */
export const ALERT_HREFS: Record<AlertKind, string> = {
  'unresolved-age': '/admin/attempts?state=status_unknown',
  'held-credits': '/admin/attempts?sort=amount',
  'audit-difference': '/admin/ledger',
  'worker-silent': '/admin#workers',
  'spool-filling': '/admin/attempts?with=spooled',
  'provider-refuses': '/admin',
}
