/**
 * From the settings of an older client to a flow file that does the same.
 *
 * <pre>
 *   cybs.properties --> PropertiesText --> SdkReader --> SdkSettings --> FlowText --> YAML, a comment on every line
 *                       (names, values,    (what the     (what it did,   (what Penstock
 *                        lines)             SDK reads)    with units)     calls it)
 * </pre>
 *
 * <p>Start at {@link dev.penstock.gateway.migrate.SdkImport}. Meanings are those of the payment SDK 6.2.15 (its {@code
 * MerchantConfig} and its connections on HttpClient 4.5), not those of its documentation where the two differ. No secret of
 * the old file is ever part of the text.
 */
@NullMarked
package dev.penstock.gateway.migrate;

import org.jspecify.annotations.NullMarked;
