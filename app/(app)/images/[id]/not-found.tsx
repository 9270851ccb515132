import Link from 'next/link'
import { Notice } from '@/components/notice'
import { buttonVariants } from '@/components/ui/button-variants'

export default function ImageNotFound() {
  return (
    <Notice
      code="404"
      title="There is no such image"
      action={
        <Link href="/images" className={buttonVariants()}>
          All your images
        </Link>
      }
    >
      The address may be mistyped, or the image belongs to another account. Nothing of yours was
      removed.
    </Notice>
  )
}
