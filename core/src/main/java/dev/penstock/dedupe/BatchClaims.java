package dev.penstock.dedupe;

import dev.penstock.CallContext;
import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Ticker;
import dev.penstock.Unanswered;
import dev.penstock.supervise.Part;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Claims the keys of a batch concurrently, each on its own virtual thread. Safe for many threads. */
record BatchClaims<Q>(KeyedCalls<Q> keyedCalls, Ticker ticker) {
    /** Finds the call of a request. */
    interface KeyedCalls<Q> {
        /** Returns the call of a request; null when it has no key. */
        @Nullable
        KeyedCall<?, ?> of(Q request) throws Failed, Rejected;
    }

    /** Returns for each request null when it may be sent, and otherwise its ending. */
    @Nullable
    Unanswered[] claim(List<Q> requests) {
        @Nullable Unanswered[] refused = new @Nullable Unanswered[requests.size()];
        List<Thread> claims = new ArrayList<>();
        for (int index = 0; index < refused.length; index++) {
            int at = index;
            try {
                KeyedCall<?, ?> keyedCall = keyedCalls.of(requests.get(index));
                if (keyedCall == null || keyedCall.isClaimed()) {
                    continue;
                }
                if (refused.length == 1) {
                    refused[at] = claim(keyedCall);
                } else {
                    claims.add(
                            Thread.ofVirtual().name("penstock-key-claim").start(() -> refused[at] = claim(keyedCall)));
                }
            } catch (Unanswered none) {
                refused[at] = none;
            } catch (Throwable broken) {
                refused[at] = KeyClaim.failed(broken);
            }
        }
        claims.forEach(Part::join);
        CallContext.required().tick();
        return refused;
    }

    private @Nullable Unanswered claim(KeyedCall<?, ?> keyedCall) {
        CallContext callContext = CallContext.begin(ticker);
        try {
            keyedCall.claim(callContext);
            return null;
        } catch (Rejected none) {
            return none;
        } catch (Throwable broken) {
            return KeyClaim.failed(broken);
        } finally {
            callContext.end();
        }
    }
}
