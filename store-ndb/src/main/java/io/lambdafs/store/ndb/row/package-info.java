/** Rows in NDB: how a table's rows are laid out, read, scanned and written through a session, and how its errors are told. */
@NullMarked
package io.lambdafs.store.ndb.row;

import org.jspecify.annotations.NullMarked;
