import { expect, test } from 'vitest'
import { reachOf } from './address-reach'

test.each([
  '8.8.8.8',
  '1.1.1.1',
  '151.101.1.195',
  '2606:4700::6810:84e5',
  '2a00:1450:4001:82b::200e',
  // A public IPv4 host as a network without IPv4 reaches it.
  '64:ff9b::8.8.8.8',
  '::ffff:8.8.8.8',
  '2002:808:808::1',
])('%s is public', (address) => {
  expect(reachOf(address)).toBe('public')
})

test.each([
  '127.0.0.1',
  '127.255.255.254',
  '10.0.0.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '100.64.0.1',
  '::1',
  'fc00::1',
  'fd12:3456:789a::1',
  '::ffff:10.0.0.1',
  '::ffff:127.0.0.1',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  '2002:c0a8:101::1',
])('%s is private', (address) => {
  expect(reachOf(address)).toBe('private')
})

test.each([
  '0.0.0.0',
  '0.1.2.3',
  '::',
  '169.254.169.254',
  '::ffff:169.254.169.254',
  '64:ff9b::a9fe:a9fe',
  '2002:a9fe:a9fe::',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'fd00:ec2::254',
  '100.100.100.200',
  '224.0.0.1',
  'ff02::1',
  '255.255.255.255',
  '240.0.0.1',
  '192.0.2.1',
  '198.18.0.1',
  '203.0.113.7',
  '2001:db8::1',
  '3fff::1',
  // Forms that hide an IPv4 address and that nothing public uses.
  '::7f00:1',
  '::ffff:0:7f00:1',
  '64:ff9b:1::a00:1',
  '2001:0:4136:e378:8000:63bf:3fff:fdd2',
  '5f00::1',
  '4000::1',
  'localhost',
  '',
])('%s is never asked', (address) => {
  expect(reachOf(address)).toBe('never')
})
