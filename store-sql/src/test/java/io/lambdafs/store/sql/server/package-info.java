/** Tests of the SQL store as a process, and of the PostgreSQL that a cluster starts. */
@NullMarked
package io.lambdafs.store.sql.server;

import org.jspecify.annotations.NullMarked;
