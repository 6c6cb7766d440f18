package dev.penstock.migrate;

import dev.penstock.migrate.OldName.DroppedReasons;
import dev.penstock.migrate.OldName.OldUse;

/** All properties of HikariCP, 2 to 7. */
final class HikariNames {
    static final PoolNames ALL = new PoolNames()
            .use(OldUse.URL, "jdbcUrl")
            .use(OldUse.USER, "username")
            .use(OldUse.PASSWORD, "password")
            .use(OldUse.MAX, "maximumPoolSize")
            .use(OldUse.MIN, "minimumIdle")
            .use(OldUse.WAIT_MILLIS, "connectionTimeout")
            .use(OldUse.IDLE_MILLIS, "idleTimeout")
            .use(OldUse.AGE_MILLIS, "maxLifetime")
            .use(OldUse.INIT_SQL, "connectionInitSql")
            .use(OldUse.TEST_QUERY, "connectionTestQuery")
            .use(OldUse.AUTO_COMMIT, "autoCommit")
            .use(OldUse.READ_ONLY, "readOnly")
            .use(OldUse.ISOLATION, "transactionIsolation")
            .drop(DroppedReasons.KEPT_ALIVE, "keepaliveTime")
            .drop(DroppedReasons.VALIDATED, "validationTimeout", "jdbc4ConnectionTest")
            .drop(DroppedReasons.LEAKS, "leakDetectionThreshold")
            .drop(DroppedReasons.DRIVER_BY_URL, "driverClassName")
            .drop(
                    "use the URL instead; GuardedDataSource.over(dataSource, name) accepts any other data source",
                    "dataSourceClassName",
                    "dataSource",
                    "dataSourceJNDI",
                    "dataSourceProperties")
            .drop(
                    DroppedReasons.METRICS,
                    "metricRegistry",
                    "metricsTrackerFactory",
                    "healthCheckRegistry",
                    "healthCheckProperties",
                    "registerMbeans",
                    "poolName")
            .drop(DroppedReasons.THREADS, "threadFactory", "scheduledExecutor", "scheduledExecutorService")
            .drop(DroppedReasons.STARTS_ANYWAY, "initializationFailTimeout", "initializationFailFast")
            .drop(
                    "set it in the URL, for instance currentSchema=billing for PostgreSQL, or in .initSql(...)",
                    "catalog",
                    "schema")
            .drop(
                    "not supported: the SQL state decides whether an error invalidates the connection",
                    "exceptionOverrideClassName",
                    "exceptionOverride")
            .drop(
                    "use user and password; a changed password is read at the next start",
                    "credentialsProviderClassName",
                    "credentialsProvider",
                    "credentials")
            .drop(DroppedReasons.INTERNAL, "isolateInternalQueries", "allowPoolSuspension");

    private HikariNames() {}
}
