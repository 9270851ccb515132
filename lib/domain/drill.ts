/** What can be made to go wrong with an attempt of one's own, where the simulator is the provider. */
export const drills = [
  {
    fault: 'lost-answer',
    title: 'The answer is lost',
    does: 'The provider takes the work, and its answer never arrives. It never calls back.',
    watch:
      'It becomes unresolved, is never sent again, and its credits stay on hold. Find its task at the simulator and attach it, or compensate.',
  },
  {
    fault: 'late-success',
    title: 'The answer is lost, the success comes late',
    does: 'The answer is lost. After some seconds the provider calls back.',
    watch:
      'It becomes unresolved, and then resolves by itself. Compensate it before that: then it is delivered and not charged.',
  },
  {
    fault: 'slow',
    title: 'It takes long',
    does: 'The picture takes 25 seconds, with progress.',
    watch: 'It is generating for longer. Time alone never makes it fail.',
  },
  {
    fault: 'reject',
    title: 'The provider refuses the input',
    does: 'The submission is answered with 400, and no task is made.',
    watch: 'A documented refusal is proof: it fails, and its credits come back.',
  },
  {
    fault: 'fail',
    title: 'The provider fails',
    does: 'The work is taken, and ends without a picture.',
    watch: 'The provider says so itself, which is proof: it fails, and its credits come back.',
  },
  {
    fault: 'status-outage',
    title: 'The provider cannot be asked',
    does: 'For 20 seconds every look at the task is answered with 503.',
    watch: 'Failing to look says nothing: nothing changes until a look succeeds.',
  },
  {
    fault: 'result-down',
    title: 'The picture cannot be fetched',
    does: 'For 20 seconds after success the address of the picture answers with 503.',
    watch:
      'It was made, so it is delivering and tried again, never generated again. Retry the delivery to hurry it.',
  },
  {
    fault: 'expire',
    title: 'The picture is gone',
    does: 'It succeeds, and its result is gone at once.',
    watch:
      'No failure of the generation: it waits for you. Bring the image as a file, or compensate.',
  },
  {
    fault: 'corrupt',
    title: 'The picture is no picture',
    does: 'It succeeds, and the result is no image.',
    watch:
      'It is fetched again. After three times the same bytes it fails, and its credits come back.',
  },
  {
    fault: 'callback-forged',
    title: 'A forged callback',
    does: 'A callback with a wrong signature comes before the true one.',
    watch: 'The forged one changes nothing.',
  },
] as const

export type Drill = (typeof drills)[number]
