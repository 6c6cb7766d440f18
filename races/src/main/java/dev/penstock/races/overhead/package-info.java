/**
 * The race {@code overhead}: the cost of the stages when nothing goes wrong, in ns and bytes per call.
 *
 * <pre>{@code
 *   a block's JVM                        the JVM that JMH forks from it
 *   NoOpCourse --> JmhRun ------------>  OverheadBenchmark --> contestant --> NoOp
 *              <-- ns, bytes per call <--
 * }</pre>
 *
 * <p>Every contestant wraps its library around the same {@link dev.penstock.races.overhead.NoOp}, with the same
 * settings as far as supported: 512 concurrent calls, at most 500 ms of waiting for a permit, 3 attempts, a breaker
 * that opens when half of at least 20 calls in 10 s failed, 5 s per call. The first attempt is answered, the breaker is
 * closed, a permit is free.
 *
 * <p>Not included: the time limiter of resilience4j, because it limits a future and so needs a second thread per call.
 * That hand-over alone costs more than everything else here.
 */
@NullMarked
package dev.penstock.races.overhead;

import org.jspecify.annotations.NullMarked;
