/**
 * Load generation, simulation, measurement and reports. Drives any {@link dev.penstock.Service}; depends on
 * no transport.
 * <pre>{@code
 *   load ---> measure <--- report        simulate
 *   (starts   (records     (tables,      (a slow and faulty
 *    them)     and judges)  files)        dependency)
 * }</pre>
 *
 * <p>To load a service, start at {@link dev.penstock.lab.load.OpenLoad}; to simulate a dependency, at
 * {@link dev.penstock.lab.simulate.HttpSimulator}.
 */
@NullMarked
package dev.penstock.lab;

import org.jspecify.annotations.NullMarked;
