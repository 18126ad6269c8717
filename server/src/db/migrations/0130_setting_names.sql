-- "Min" is the word for a lower bound everywhere; values that the operator set keep their meaning.
update setting set key = replace(key, 'LeastMicro', 'MinMicro') where key like '%LeastMicro%';
