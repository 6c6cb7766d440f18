package dev.penstock.migrate;

import dev.penstock.migrate.OldName.OldUse;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The table of the property names of one pool of database connections, with what becomes of each. */
final class PoolNames {
    private final Map<String, OldName> all = new LinkedHashMap<>();
    private final Map<String, OldName> byPlainName = new LinkedHashMap<>();

    /** Names with a meaning. */
    PoolNames use(OldUse use, String... names) {
        List.of(names).forEach(name -> put(new OldName(name, use, "")));
        return this;
    }

    /** Names that are dropped, and why. */
    PoolNames drop(String why, String... names) {
        List.of(names).forEach(name -> put(new OldName(name, OldUse.NONE, why)));
        return this;
    }

    private void put(OldName name) {
        all.put(name.name(), name);
        byPlainName.put(StageNames.plain(name.name()), name);
    }

    Set<String> names() {
        return all.keySet();
    }

    @Nullable
    OldName get(String name) {
        return all.get(name);
    }

    /** The entry of a name as Spring reads it: maximumPoolSize, maximum-pool-size, MAXIMUM_POOL_SIZE. */
    @Nullable
    OldName relaxed(String name) {
        return byPlainName.get(StageNames.plain(name));
    }
}
