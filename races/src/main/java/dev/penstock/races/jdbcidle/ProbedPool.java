package dev.penstock.races.jdbcidle;

import com.mchange.v2.c3p0.ComboPooledDataSource;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.penstock.races.jdbcidle.JdbcIdleContestants.Pool;
import dev.penstock.races.sql.CountedDriver;
import java.beans.Introspector;
import java.beans.PropertyDescriptor;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** Pools configured only by the lines printed by {@code penstock probe}. */
final class ProbedPool {
    private static final String C3P0 = "c3p0.";

    private ProbedPool() {}

    /** HikariCP, with {@code --for-hikari}; defaults without a file, for the rehearsal. */
    static Pool hikari(String url, @Nullable Path printed) throws IOException {
        HikariConfig config = new HikariConfig(properties(printed));
        config.setDriverClassName(CountedDriver.class.getName());
        config.setJdbcUrl(url);
        HikariDataSource source = new HikariDataSource(config);
        return new Pool(source, source);
    }

    /** c3p0, with {@code --for-c3p0}; defaults without a file, for the rehearsal. */
    static Pool c3p0(String url, @Nullable Path printed) throws Exception {
        ComboPooledDataSource source = new ComboPooledDataSource();
        source.setDriverClass(CountedDriver.class.getName());
        source.setJdbcUrl(url);
        Properties settings = properties(printed);
        for (String key : settings.stringPropertyNames()) {
            set(source, key.substring(C3P0.length()), settings.getProperty(key));
        }
        return new Pool(source, source);
    }

    private static void set(ComboPooledDataSource source, String name, String value) throws Exception {
        for (PropertyDescriptor one :
                Introspector.getBeanInfo(ComboPooledDataSource.class).getPropertyDescriptors()) {
            if (one.getName().equals(name) && one.getWriteMethod() != null) {
                boolean flag = one.getPropertyType() == boolean.class;
                one.getWriteMethod().invoke(source, flag ? Boolean.valueOf(value) : (Object) Integer.valueOf(value));
                return;
            }
        }
        throw new IllegalArgumentException("c3p0 has no property " + name);
    }

    private static Properties properties(@Nullable Path printed) throws IOException {
        Properties properties = new Properties();
        if (printed != null) {
            try (Reader file = Files.newBufferedReader(printed)) {
                properties.load(file);
            }
        }
        return properties;
    }
}
