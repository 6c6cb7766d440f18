package dev.penstock.migrate;

import dev.penstock.migrate.OldName.DroppedReasons;
import dev.penstock.migrate.OldName.OldUse;

/** All properties of c3p0, 0.9 to 0.11. */
final class C3p0Names {
    static final PoolNames ALL = new PoolNames()
            .use(OldUse.URL, "jdbcUrl")
            .use(OldUse.USER, "user")
            .use(OldUse.PASSWORD, "password")
            .use(OldUse.MAX, "maxPoolSize")
            .use(OldUse.MIN, "minPoolSize")
            .use(OldUse.WAIT_MILLIS, "checkoutTimeout")
            .use(OldUse.IDLE_SECONDS, "maxIdleTime")
            .use(OldUse.AGE_SECONDS, "maxConnectionAge")
            .use(OldUse.TEST_QUERY, "preferredTestQuery")
            .drop(DroppedReasons.KEPT_ALIVE, "idleConnectionTestPeriod", "testConnectionOnCheckin")
            .drop(
                    DroppedReasons.VALIDATED,
                    "testConnectionOnCheckout",
                    "connectionIsValidTimeout",
                    "connectionTesterClassName",
                    "automaticTestTable",
                    "attemptResurrectOnCheckin")
            .drop(DroppedReasons.ON_DEMAND, "acquireIncrement", "initialPoolSize")
            .drop(
                    DroppedReasons.BOUNDED_BY_WAIT,
                    "acquireRetryAttempts",
                    "acquireRetryDelay",
                    "breakAfterAcquireFailure")
            .drop(
                    "not needed: surplus connections are closed before the network drops idle ones",
                    "maxIdleTimeExcessConnections")
            .drop(DroppedReasons.LEAKS, "unreturnedConnectionTimeout", "debugUnreturnedConnectionStackTraces")
            .drop(
                    DroppedReasons.STATEMENTS,
                    "maxStatements",
                    "maxStatementsPerConnection",
                    "statementCacheNumDeferredCloseThreads",
                    "cancelAutomaticallyClosedStatements")
            .drop(DroppedReasons.DRIVER_BY_URL, "driverClass", "forceUseNamedDriverClass")
            .drop(
                    DroppedReasons.THREADS,
                    "numHelperThreads",
                    "maxAdministrativeTaskTime",
                    "taskRunnerFactoryClassName",
                    "contextClassLoaderSource",
                    "privilegeSpawnedThreads",
                    "forceSynchronousCheckins")
            .drop(DroppedReasons.METRICS, "dataSourceName", "identityToken", "description")
            .drop(
                    "not supported: an unfinished transaction is rolled back when its connection is returned",
                    "autoCommitOnClose",
                    "forceIgnoreUnresolvedTransactions")
            .drop(
                    "use one user and password per data source",
                    "overrideDefaultUser",
                    "overrideDefaultPassword",
                    "userOverridesAsString")
            .drop("to run a statement on each new connection use .initSql(...)", "connectionCustomizerClassName")
            .drop(
                    DroppedReasons.INTERNAL,
                    "extensions",
                    "factoryClassLocation",
                    "markSessionBoundaries",
                    "propertyCycle",
                    "usesTraditionalReflectiveProxies",
                    "nestedDataSource",
                    "nestedDataSourceName",
                    "connectionPoolDataSource",
                    "properties");

    private C3p0Names() {}
}
