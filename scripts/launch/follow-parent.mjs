// Loaded into the programs that the launcher starts: ends them when it is gone without having been
// able to, as after `kill -9`. Plain JavaScript, because Node.js loads it before anything else.
const CHECK_EVERY_MS = 1_000
// Longer than a worker may take to finish what it is doing.
const END_MS_MAX = 30_000

// Programs that those start inherit this file, and follow their own parents.
const launcher = Number(process.env['LAUNCHER_PID'])
if (process.ppid === launcher) {
  const timer = setInterval(() => {
    if (process.ppid === launcher) return
    clearInterval(timer)
    process.kill(process.pid, 'SIGTERM')
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), END_MS_MAX).unref()
  }, CHECK_EVERY_MS)
  timer.unref()
}
