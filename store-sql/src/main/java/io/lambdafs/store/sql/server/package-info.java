/** The SQL store as a process. */
@NullMarked
package io.lambdafs.store.sql.server;

import org.jspecify.annotations.NullMarked;
