/**
 * The lab: what measures and proves. It drives any {@link dev.penstock.Service} and so knows no transport.
 *
 * <pre>
 *   load ---> measure <--- report        simulate
 *   (starts   (records     (tables,      (a slow and faulty
 *    them)     and judges)  files)        dependency)
 * </pre>
 *
 * <p>Start at {@link dev.penstock.lab.load.OpenLoad} to load a service, and at {@link
 * dev.penstock.lab.simulate.HttpSimulator} for something to load.
 */
@NullMarked
package dev.penstock.lab;

import org.jspecify.annotations.NullMarked;
