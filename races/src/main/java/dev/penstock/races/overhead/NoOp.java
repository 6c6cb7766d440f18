package dev.penstock.races.overhead;

import dev.penstock.Service;
import org.openjdk.jmh.annotations.CompilerControl;

/**
 * Answers with the same object, doing nothing else. The compiler is told not to inline it: a real target is never a part of
 * its caller either, and a call that vanishes would let whatever stands around it vanish too. Safe for many threads.
 */
final class NoOp implements Service<Object, Object> {
    private static final Object ANSWER = "answer";

    @Override
    @CompilerControl(CompilerControl.Mode.DONT_INLINE)
    public Object call(Object request) {
        return ANSWER;
    }
}
