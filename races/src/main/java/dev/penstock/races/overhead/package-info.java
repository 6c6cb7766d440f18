/**
 * The race {@code overhead}: what the stages cost when nothing goes wrong, in ns and bytes a call.
 *
 * <pre>
 *   a block's JVM                        the JVM that JMH forks from it
 *   NoOpCourse --> JmhRun ------------>  OverheadBenchmark --> Contestant --> NoOp
 *              <-- ns, bytes a call <--
 * </pre>
 *
 * <p>Every contestant puts its library around the same {@link dev.penstock.races.overhead.NoOp}, with the same settings as
 * far as it has them: 512 at once, at most 500 ms of waiting for a permit, 3 attempts, a breaker that opens when half of at
 * least 20 calls in 10 s failed, 5 s for a call. The first attempt answers, the breaker is closed, a permit is free.
 *
 * <p>Not raced: the time limiter of resilience4j, since it bounds a future and so needs a second thread for each call. The
 * hand-over alone costs more than all else here.
 */
@NullMarked
package dev.penstock.races.overhead;

import org.jspecify.annotations.NullMarked;
