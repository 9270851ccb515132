/** How large the frames of a sheet are. Kept in a cookie, so that the server draws it right at once. */
export type Density = 'large' | 'small'

export const DENSITY_COOKIE = 'darkroom.density'

export const densityOf = (cookie: string | undefined): Density =>
  cookie === 'small' ? 'small' : 'large'

const YEAR_S = 31_536_000

export function rememberDensity(density: Density): void {
  document.cookie = `${DENSITY_COOKIE}=${density}; path=/; max-age=${YEAR_S}; samesite=lax`
}
