/**
 * The dashboard of a process with flows.
 *
 * <pre>
 *   PenstockPage, or the server of a gateway --> Dashboard --> Recorder (a snapshot each second)
 *                                                   |             |
 *                                                PageHtml     ProcessWatch --> events, problems, PageJson
 * </pre>
 */
@NullMarked
package dev.penstock.observe.page;

import org.jspecify.annotations.NullMarked;
