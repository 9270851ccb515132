import { problemAnswer } from '@/lib/api/problem'

const notFound = (): Response => problemAnswer('not_found')

/** What is no address of the API is told so in the words of the API. */
export {
  notFound as GET,
  notFound as HEAD,
  notFound as POST,
  notFound as PUT,
  notFound as PATCH,
  notFound as DELETE,
  notFound as OPTIONS,
}
