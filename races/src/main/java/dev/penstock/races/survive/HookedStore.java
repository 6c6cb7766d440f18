package dev.penstock.races.survive;

import dev.penstock.dedupe.KeyRequest;
import dev.penstock.dedupe.Claim;
import dev.penstock.dedupe.IdempotencyStore;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A store of keys whose methods are hooks: half of the errors come before the work, half behind it. */
record HookedStore(IdempotencyStore store, Hooks hooks, boolean after) implements IdempotencyStore {
    private interface Work<T extends @Nullable Object> {
        T run() throws Exception;
    }

    private <T extends @Nullable Object> T at(Hook hook, Work<T> work) throws Exception {
        if (!after) {
            hooks.reached(hook);
        }
        T result = work.run();
        if (after) {
            hooks.reached(hook);
        }
        return result;
    }

    @Override
    public Claim claim(KeyRequest ask) throws Exception {
        return at(Hook.STORE_CLAIM, () -> store.claim(ask));
    }

    @Override
    public Claim takeOver(KeyRequest ask, long before) throws Exception {
        return at(Hook.STORE_CLAIM, () -> store.takeOver(ask, before));
    }

    @Override
    public boolean end(String key, long owner, byte[] ending, Duration keep) throws Exception {
        return at(Hook.STORE_END, () -> store.end(key, owner, ending, keep));
    }

    @Override
    public void release(String key, long owner) throws Exception {
        boolean _ = at(Hook.STORE_RELEASE, () -> {
            store.release(key, owner);
            return true;
        });
    }

    @Override
    public @Nullable Claim find(String key) throws Exception {
        return this.<@Nullable Claim>at(Hook.STORE_FIND, () -> store.find(key));
    }

    @Override
    public String where() {
        return store.where();
    }

    @Override
    public void close() {
        store.close();
    }
}
