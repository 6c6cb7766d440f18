package dev.penstock.gateway.migrate;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The settings of an older pool of database connections; null for unset.
 *
 * @param url the JDBC URL, which may contain secrets
 * @param password the name of the password property; its value is not read
 * @param max the maximum number of connections
 * @param min the minimum number of connections
 * @param waiting how long to wait for a connection; 0 is unlimited
 * @param idle the maximum idle time; 0 is unlimited
 * @param age the maximum age; 0 is unlimited
 * @param driver properties passed to the driver
 */
record DatabaseSettings(
        @Nullable OldValue<String> url,
        @Nullable OldValue<String> user,
        @Nullable String password,
        @Nullable OldValue<Integer> max,
        @Nullable OldValue<Integer> min,
        @Nullable OldValue<Duration> waiting,
        @Nullable OldValue<Duration> idle,
        @Nullable OldValue<Duration> age,
        @Nullable OldValue<String> initSql,
        @Nullable OldValue<String> testQuery,
        @Nullable OldValue<Boolean> autoCommit,
        @Nullable OldValue<Boolean> readOnly,
        @Nullable OldValue<String> isolation,
        List<PropertyLine> driver) {}
