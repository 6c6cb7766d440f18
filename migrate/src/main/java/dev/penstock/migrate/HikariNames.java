package dev.penstock.migrate;

import dev.penstock.migrate.OldName.DroppedReasons;
import dev.penstock.migrate.OldName.OldUse;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All properties of HikariCP, 2 to 7. */
final class HikariNames {
    static final Map<String, OldName> ALL = new LinkedHashMap<>();

    static {
        use(OldUse.URL, "jdbcUrl");
        use(OldUse.USER, "username");
        use(OldUse.PASSWORD, "password");
        use(OldUse.MAX, "maximumPoolSize");
        use(OldUse.MIN, "minimumIdle");
        use(OldUse.WAIT_MILLIS, "connectionTimeout");
        use(OldUse.IDLE_MILLIS, "idleTimeout");
        use(OldUse.AGE_MILLIS, "maxLifetime");
        use(OldUse.INIT_SQL, "connectionInitSql");
        use(OldUse.TEST_QUERY, "connectionTestQuery");
        use(OldUse.AUTO_COMMIT, "autoCommit");
        use(OldUse.READ_ONLY, "readOnly");
        use(OldUse.ISOLATION, "transactionIsolation");
        dropped(DroppedReasons.KEPT_ALIVE, "keepaliveTime");
        dropped(DroppedReasons.VALIDATED, "validationTimeout", "jdbc4ConnectionTest");
        dropped(DroppedReasons.LEAKS, "leakDetectionThreshold");
        dropped(DroppedReasons.DRIVER_BY_URL, "driverClassName");
        dropped(
                "use the URL instead; GuardedDataSource.over(dataSource, name) accepts any other data source",
                "dataSourceClassName",
                "dataSource",
                "dataSourceJNDI",
                "dataSourceProperties");
        dropped(
                DroppedReasons.METRICS,
                "metricRegistry",
                "metricsTrackerFactory",
                "healthCheckRegistry",
                "healthCheckProperties",
                "registerMbeans",
                "poolName");
        dropped(DroppedReasons.THREADS, "threadFactory", "scheduledExecutor", "scheduledExecutorService");
        dropped(DroppedReasons.STARTS_ANYWAY, "initializationFailTimeout", "initializationFailFast");
        dropped(
                "set it in the URL, for instance currentSchema=billing for PostgreSQL, or in .initSql(...)",
                "catalog",
                "schema");
        dropped(
                "not supported: the SQL state decides whether an error invalidates the connection",
                "exceptionOverrideClassName",
                "exceptionOverride");
        dropped(
                "use user and password; a changed password is read at the next start",
                "credentialsProviderClassName",
                "credentialsProvider",
                "credentials");
        dropped(DroppedReasons.INTERNAL, "isolateInternalQueries", "allowPoolSuspension");
    }

    private HikariNames() {}

    private static void use(OldUse use, String name) {
        ALL.put(name, new OldName(name, use));
    }

    private static void dropped(String why, String... names) {
        List.of(names).forEach(name -> ALL.put(name, new OldName(name, OldUse.NONE, why)));
    }
}
