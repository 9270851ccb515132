import { notFound } from '@/app/api/answers'

/** What is no address of data is no page either. */
export {
  notFound as GET,
  notFound as HEAD,
  notFound as POST,
  notFound as PUT,
  notFound as PATCH,
  notFound as DELETE,
  notFound as OPTIONS,
}
