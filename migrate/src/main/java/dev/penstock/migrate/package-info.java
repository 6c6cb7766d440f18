/**
 * Converts the settings of other libraries, pools and servers to an equivalent flow file.
 *
 * <pre>
 *   properties --> OldFile       --+
 *   XML        --> XmlSettings   --+--> a flat list of PropertyLine: name, value, line
 *   YAML       --> YamlSettings  --+
 *
 *   PropertyLine + Table --> StageImport  resilience4j, Hystrix, Tomcat --+
 *                        --> PoolImport   c3p0, HikariCP, Hibernate     --+--> FlowText + template --> YAML
 *                        --> SdkImport    the payment SDK               --+
 * </pre>
 *
 * <p>Start at {@link dev.penstock.migrate.SettingsImport}, which detects format and library. Names, rules, ranges,
 * defaults and reasons are data: one table for each product ({@code hikari.txt}) and one template for each kind of flow
 * ({@code database.yaml}), read by {@link dev.penstock.migrate.Table} and {@link dev.penstock.migrate.FlowText}. The semantics are
 * those of the code of the payment SDK 6.2.15 (its {@code MerchantConfig} and its connections on HttpClient 4.5), where it
 * differs from its documentation; of c3p0 0.9.5 to 0.11, of HikariCP up to 7.1, of resilience4j up to 2.4, of Hystrix 1.5
 * and Tomcat 11, and of the names Hibernate and Spring use for these. A part of a file that only applies on a condition,
 * such as a profile of Spring or a second persistence unit, is listed and not mixed in. The text never contains a secret of
 * the old file.
 */
@NullMarked
package dev.penstock.migrate;

import org.jspecify.annotations.NullMarked;
