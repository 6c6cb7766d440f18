/** What a race needs of the machine that it runs on: its cores, its programs, servers in processes of their own. */
@NullMarked
package dev.penstock.races.machine;

import org.jspecify.annotations.NullMarked;
