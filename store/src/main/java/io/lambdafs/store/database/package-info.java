/**
 * The store on a shared database: rules by which one store server at a time owns it (PROTOCOL: D1 to D7), common to all
 * databases. An engine is a {@link io.lambdafs.store.database.Database}.
 */
@NullMarked
package io.lambdafs.store.database;

import org.jspecify.annotations.NullMarked;
