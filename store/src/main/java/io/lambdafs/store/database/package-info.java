/**
 * A store whose rows are in a database that other processes can reach too: the rules by which one store server at a time has it (PROTOCOL: D1 to
 * D7), once for all databases. An engine is a {@link io.lambdafs.store.database.Database}.
 */
@NullMarked
package io.lambdafs.store.database;

import org.jspecify.annotations.NullMarked;
