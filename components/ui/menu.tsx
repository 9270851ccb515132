'use client'

import { Menu as BaseMenu } from '@base-ui/react/menu'
import { Check } from 'lucide-react'
import { cn } from '@/lib/web/class-names'

export const Menu = BaseMenu.Root
export const MenuTrigger = BaseMenu.Trigger

type MenuContentProps = Omit<BaseMenu.Popup.Props, 'className'> & { readonly className?: string }

export function MenuContent({ className, ...props }: MenuContentProps) {
  return (
    <BaseMenu.Portal>
      <BaseMenu.Positioner align="end" sideOffset={8} className="z-50 outline-none">
        <BaseMenu.Popup
          data-slot="menu-content"
          className={cn(
            'min-w-56 rounded-lg border bg-surface p-1 text-foreground shadow-xl shadow-black/20 outline-none',
            className,
          )}
          {...props}
        />
      </BaseMenu.Positioner>
    </BaseMenu.Portal>
  )
}

type MenuItemProps = Omit<BaseMenu.Item.Props, 'className'> & { readonly className?: string }

export function MenuItem({ className, ...props }: MenuItemProps) {
  return (
    <BaseMenu.Item
      data-slot="menu-item"
      className={cn(
        'flex h-9 cursor-pointer items-center gap-2 rounded-md px-3 text-sm outline-none select-none data-[highlighted]:bg-raised [&_svg]:size-4',
        className,
      )}
      {...props}
    />
  )
}

type MenuRadioItemProps = Omit<BaseMenu.RadioItem.Props, 'className'>

export const MenuGroup = BaseMenu.Group
export const MenuRadioGroup = BaseMenu.RadioGroup

export function MenuGroupLabel(props: Omit<BaseMenu.GroupLabel.Props, 'className'>) {
  return <BaseMenu.GroupLabel className="px-3 pt-2 pb-1 text-xs text-muted" {...props} />
}

/** One of several, of which one is chosen: the mark says which. */
export function MenuRadioItem({ children, ...props }: MenuRadioItemProps) {
  return (
    <BaseMenu.RadioItem
      data-slot="menu-radio-item"
      className="flex h-10 cursor-pointer items-center gap-2 rounded-md px-3 text-sm outline-none select-none data-[highlighted]:bg-raised [&_svg]:size-4"
      {...props}
    >
      {children}
      <BaseMenu.RadioItemIndicator className="ml-auto">
        <Check aria-hidden="true" />
      </BaseMenu.RadioItemIndicator>
    </BaseMenu.RadioItem>
  )
}
