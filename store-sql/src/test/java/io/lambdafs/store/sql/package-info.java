@NullMarked
package io.lambdafs.store.sql;

import org.jspecify.annotations.NullMarked;
