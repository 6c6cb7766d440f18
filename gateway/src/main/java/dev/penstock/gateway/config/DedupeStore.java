package dev.penstock.gateway.config;

import org.jspecify.annotations.Nullable;

/** Where idempotency keys are stored. Flows with equal stores share one. */
public sealed interface DedupeStore {
    /** A file beside the state file, for this gateway only. */
    record Embedded() implements DedupeStore {}

    /**
     * A database, shared by all gateways that use it.
     *
     * @param url the JDBC URL, which may contain secrets
     * @param user null uses the user of the URL
     * @param password null uses the password of the URL
     * @param table the table name
     */
    record Database(
            String url, @Nullable String user, @Nullable Secret password, String table) implements DedupeStore {
        /** Omits the parts of the URL that may be secret. */
        public String where() {
            return "table " + table + " of " + url.replaceFirst("[?;].*", "").replaceFirst("//[^/@]*@", "//");
        }

        @Override
        public String toString() {
            return where();
        }
    }
}
