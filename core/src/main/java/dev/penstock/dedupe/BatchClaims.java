package dev.penstock.dedupe;

import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Ticker;
import dev.penstock.CallContext;
import dev.penstock.Unanswered;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Claims the keys of a batch, each on a thread of its own. Safe for many threads. */
record BatchClaims(Errands errands, Ticker ticker) {
    /** Finds who carries a request. */
    interface Errands {
        /** Null when it has no key. */
        @Nullable
        KeyedCall<?, ?> of(Object request) throws Failed, Rejected;
    }

    /** For each request null when it may be sent, and otherwise why not. */
    @Nullable
    Unanswered[] claim(List<?> requests) {
        @Nullable Unanswered[] refused = new @Nullable Unanswered[requests.size()];
        List<Thread> claims = new ArrayList<>();
        for (int place = 0; place < refused.length; place++) {
            int at = place;
            try {
                KeyedCall<?, ?> keyedCall = errands.of(requests.get(place));
                if (keyedCall == null || keyedCall.isClaimed()) {
                    continue;
                }
                if (refused.length == 1) {
                    refused[at] = claim(keyedCall);
                } else {
                    claims.add(Thread.ofVirtual().name("key-claim").start(() -> refused[at] = claim(keyedCall)));
                }
            } catch (Unanswered none) {
                refused[at] = none;
            } catch (Throwable broken) {
                refused[at] = KeyedCall.notClaimed(broken);
            }
        }
        join(claims);
        CallContext.required().tick();
        return refused;
    }

    private static void join(List<Thread> claims) {
        boolean interrupted = false;
        for (Thread claim : claims) {
            while (claim.isAlive()) {
                try {
                    claim.join();
                } catch (InterruptedException later) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private @Nullable Unanswered claim(KeyedCall<?, ?> keyedCall) {
        CallContext callContext = CallContext.begin(ticker);
        try {
            keyedCall.claim(callContext);
            return null;
        } catch (Rejected none) {
            return none;
        } catch (Throwable broken) {
            return KeyedCall.notClaimed(broken);
        } finally {
            callContext.end();
        }
    }
}
