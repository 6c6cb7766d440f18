package dev.penstock.migrate;

import dev.penstock.migrate.OldName.DroppedReasons;
import dev.penstock.migrate.OldName.OldUse;
import java.util.regex.Pattern;

/** Names of Hibernate and JPA for settings of connections, and patterns of their other names. */
final class HibernateNames {
    private static final String UNDER_THIS_NAME = "set the GuardedDataSource under this name";

    /** The c3p0 properties with names of their own, below {@code hibernate.c3p0}. */
    static final PoolNames C3P0 = new PoolNames()
            .use(OldUse.MIN, "min_size")
            .use(OldUse.MAX, "max_size")
            .use(OldUse.IDLE_SECONDS, "timeout")
            .drop(DroppedReasons.STATEMENTS, "max_statements")
            .drop(DroppedReasons.KEPT_ALIVE, "idle_test_period")
            .drop(DroppedReasons.ON_DEMAND, "acquire_increment")
            .drop(DroppedReasons.VALIDATED, "validate");

    /** Below {@code hibernate.connection} and {@code jakarta.persistence.jdbc}. */
    static final PoolNames CONNECTION = new PoolNames()
            .use(OldUse.URL, "url")
            .use(OldUse.USER, "username", "user")
            .use(OldUse.PASSWORD, "password")
            .use(OldUse.MAX, "pool_size")
            .use(OldUse.MIN, "min_pool_size")
            .use(OldUse.AUTO_COMMIT, "autocommit")
            .use(OldUse.ISOLATION, "isolation")
            .use(OldUse.INIT_SQL, "init_sql")
            .drop(DroppedReasons.DRIVER_BY_URL, "driver_class", "driver")
            .drop(DroppedReasons.ON_DEMAND, "initial_pool_size")
            .drop(DroppedReasons.VALIDATED, "pool_validation_interval")
            .drop(DroppedReasons.BOUNDED_BY_WAIT, "login_timeout")
            .drop(DroppedReasons.INTERNAL, "creator_factory_class")
            .drop(
                    "about when Hibernate holds a connection; stays with Hibernate",
                    "handling_mode",
                    "acquisition_mode",
                    "release_mode",
                    "provider_disables_autocommit")
            .drop("set the GuardedDataSource as hibernate.connection.datasource", "provider_class")
            .drop(UNDER_THIS_NAME, "datasource");

    /** The data sources that a container gives to a persistence unit. */
    static final PoolNames PERSISTENCE =
            new PoolNames().drop(UNDER_THIS_NAME, "jta-data-source", "non-jta-data-source");

    /** Properties, and elements of hibernate.cfg.xml and persistence.xml. */
    private static final Pattern OTHERS = Pattern.compile(
            "(hibernate|spring\\.jpa|(jakarta|javax)\\.persistence|persistence(-unit)?|mapping|session-factory"
                    + "|(class|collection)-cache)\\..*"
                    + "|(event|listener)\\.(type|class)|class\\.class|security\\.context|grant\\.(role|actions|entity-name)"
                    + "|class|provider|description|jar-file|mapping-file|exclude-unlisted-classes|(shared-cache|validation)-mode");

    private HibernateNames() {}

    /** Whether it is a name of Hibernate or JPA. */
    static boolean isAny(String name) {
        return OTHERS.matcher(name).matches();
    }
}
