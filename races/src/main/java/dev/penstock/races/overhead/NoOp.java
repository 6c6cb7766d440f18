package dev.penstock.races.overhead;

import dev.penstock.Service;
import org.openjdk.jmh.annotations.CompilerControl;

/**
 * Returns the same object and does nothing else. Inlining is disabled: a real target is not part of its caller either,
 * and if the call were optimized away, the code around it might be too. Thread-safe.
 */
final class NoOp implements Service<Object, Object> {
    private static final Object ANSWER = "answer";

    @Override
    @CompilerControl(CompilerControl.Mode.DONT_INLINE)
    public Object call(Object request) {
        return ANSWER;
    }
}
