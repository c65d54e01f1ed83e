// A question with its answer: label, what it means, and what is wrong with it, tied together for whoever cannot see them together.

import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { decimal } from '../route.js';

interface Asked {
  /** The option of the command that this is. */
  readonly option: string;
  readonly label: ComponentChildren;
  readonly hint?: ComponentChildren;
  readonly error?: string | null | undefined;
  /** Of several with the same option. */
  readonly column?: string;
}

interface Wrapped extends Asked {
  readonly children: (ids: { id: string; describedBy: string; invalid: boolean }) => ComponentChildren;
}

function Wrapper({ label, hint, error, children }: Wrapped) {
  const id = useId();
  const described = [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ');
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, describedBy: described, invalid: Boolean(error) })}
      {hint ? (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      ) : null}
      <p class="error" id={`${id}-error`} role="alert">
        {error ?? ''}
      </p>
    </div>
  );
}

export interface TextProps extends Asked {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly numeric?: boolean;
  readonly placeholder?: string;
  readonly list?: readonly string[];
  readonly disabled?: boolean;
}

/** One line of text, or a number with a point or a comma. */
export function TextField({ value, onChange, numeric, placeholder, list, disabled, ...asked }: TextProps) {
  const listId = useId();
  return (
    <Wrapper {...asked}>
      {({ id, describedBy, invalid }) => (
        <>
          <input
            id={id}
            type="text"
            inputMode={numeric ? 'decimal' : 'text'}
            class={numeric ? 'short' : ''}
            data-field={asked.option}
            data-column={asked.column}
            value={value}
            placeholder={placeholder}
            readOnly={disabled}
            list={list ? listId : undefined}
            autocomplete="off"
            spellcheck={false}
            aria-describedby={describedBy || undefined}
            aria-invalid={invalid}
            onInput={({ currentTarget }) =>
              onChange(numeric ? decimal(currentTarget.value) : currentTarget.value)
            }
          />
          {list ? (
            <datalist id={listId}>
              {list.map((item) => (
                <option key={item} value={item} />
              ))}
            </datalist>
          ) : null}
        </>
      )}
    </Wrapper>
  );
}

export interface SelectProps extends Asked {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly options: readonly (readonly [value: string, label: string])[];
}

/** One of several. */
export function SelectField({ value, onChange, options, ...asked }: SelectProps) {
  return (
    <Wrapper {...asked}>
      {({ id, describedBy, invalid }) => (
        <select
          id={id}
          data-field={asked.option}
          data-column={asked.column}
          value={value}
          aria-describedby={describedBy || undefined}
          aria-invalid={invalid}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        >
          {options.map(([key, label]) => (
            <option key={key} value={key} selected={key === value}>
              {label}
            </option>
          ))}
        </select>
      )}
    </Wrapper>
  );
}

export interface CheckProps {
  readonly option: string;
  readonly label: ComponentChildren;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly value?: string;
  readonly disabled?: boolean;
  readonly hint?: ComponentChildren;
}

/** Yes or no. */
export function CheckField({ option, label, checked, onChange, value, disabled, hint }: CheckProps) {
  const id = useId();
  return (
    <div class="check">
      <input
        id={id}
        type="checkbox"
        data-field={option}
        data-value={value}
        checked={checked}
        disabled={disabled}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      <label for={id}>{label}</label>
      {hint ? (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      ) : null}
    </div>
  );
}

export interface SliderProps extends Asked {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly low: number;
  readonly high: number;
  /** What the place stands for, for whoever hears it. */
  readonly told: string;
  /** Multiples of this alone. */
  readonly grain?: number | undefined;
  /** Or these alone. */
  readonly stops?: readonly number[];
}

const NOTCHES = 200;

/** Where a value stands on the slider, and the value of a place: by the grain where there is one, else by factors. */
function scaleOf(low: number, high: number, grain: number | null, stops: readonly number[] | null) {
  if (stops) {
    const near = (own: number) =>
      stops.reduce((best, stop, i) => (Math.abs(stop - own) < Math.abs(stops[best]! - own) ? i : best), 0);
    return { first: 0, last: stops.length - 1, place: near, value: (at: number) => String(stops[at]) };
  }
  if (grain !== null) {
    const value = (at: number) => String(Number((at * grain).toPrecision(12)));
    return {
      first: Math.max(1, Math.round(low / grain)),
      last: Math.round(high / grain),
      place: (own: number) => Math.round(own / grain),
      value,
    };
  }
  const factor = Math.log(high / low);
  return {
    first: 0,
    last: NOTCHES,
    place: (value: number) => Math.round((NOTCHES * Math.log(value / low)) / factor),
    // Finer than the notches are apart, so that each is another value.
    value: (at: number) => String(Number((low * Math.exp((factor * at) / NOTCHES)).toPrecision(3))),
  };
}

/** A number by hand or by a slider. */
export function SliderField({ value, onChange, low, high, told, grain, stops, ...asked }: SliderProps) {
  const scale = scaleOf(low, high, grain ?? null, stops ?? null);
  const at = Number(value);
  const place = Number.isFinite(at) && at > 0 ? scale.place(at) : scale.first;
  return (
    <Wrapper {...asked}>
      {({ id, describedBy, invalid }) => (
        <div class="slider">
          <input
            id={id}
            type="text"
            inputMode="decimal"
            class="short"
            data-field={asked.option}
            data-column={asked.column}
            value={value}
            autocomplete="off"
            aria-describedby={describedBy || undefined}
            aria-invalid={invalid}
            onInput={({ currentTarget }) => onChange(decimal(currentTarget.value))}
          />
          <input
            type="range"
            min={scale.first}
            max={scale.last}
            value={Math.min(scale.last, Math.max(scale.first, place))}
            aria-label={`${asked.option}, by a slider`}
            aria-valuetext={told}
            onInput={({ currentTarget }) => onChange(scale.value(Number(currentTarget.value)))}
          />
        </div>
      )}
    </Wrapper>
  );
}
